//! Meters.

use std::{collections::HashMap, fmt::{self, Display as Show}};
pub use crate::units::*;

mod units;

/// How much.
pub const LIMIT: u32 = 10;
static mut COUNT: u32 = 0;
pub type Table<'a> = HashMap<&'a str, u32>;

/// Something that measures. It may fail.
pub trait Meter: Show + units::Unit {
    type Error;
    const NAME: &'static str;
    fn sample(&self) -> Result<u32, Self::Error>;
    fn twice(&self) -> u32 {
        self.sample().unwrap_or(LIMIT) * 2
    }
}

#[derive(Debug, Clone)]
pub struct NetMeter<P> {
    pub port: P,
    rate: u32,
}

struct Unit(u8);

pub(crate) enum Reading {
    None,
    Some(u32),
    Range { low: u32, high: u32 },
}

union Bits {
    whole: u32,
}

impl<P: Clone> Meter for NetMeter<P> {
    type Error = fmt::Error;
    const NAME: &'static str = "net";

    fn sample(&self) -> Result<u32, fmt::Error> {
        let NetMeter { rate, port: inner } = self;
        let (first, second) = split(*rate);
        Ok(first + second + inner.speed::<u32>())
    }
}

impl<P> NetMeter<P> {
    /// Makes one.
    #[must_use]
    pub fn new(port: P) -> Self {
        Self { port, rate: helper(LIMIT) }
    }
}

impl<'s> Iterator for units::Walk<'s> {
    fn next(&mut self) -> Option<u16> {
        None
    }
}

#[macro_export]
macro_rules! make_it {
    ($value:expr) => {
        $value
    };
}

pub async unsafe fn very_qualified(mut value: u32) -> u32 {
    match read() {
        Reading::Some(found) if found > 1 => value += found,
        Reading::Range { low, high } => value = low..=high,
        other @ Reading::None => drop(other),
    }
    for (index, item) in make_it!(vec![1, 2]).iter().enumerate() {
        println!("{} {}", index, make(item));
    }
    if let Some(inner) = NetMeter::<u8>::new(1).next() {
        'outer: loop {
            break 'outer;
        }
    }
    let add = |left: u32, right| left + right;
    add(value, LIMIT)
}

extern "C" {
    fn outside(value: u32);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures() {
        assert_eq!(NetMeter::new(1).twice(), 2);
    }
}

/// Options.
#[derive(
    Clone,
)]
struct Options<const SIZE: usize> {
    /// Whether to run().
    #[arg(
        long,
        help = "run()"
    )]
    dry: [u8; SIZE],
}
