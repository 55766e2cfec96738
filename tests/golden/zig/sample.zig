const std = @import("std");

/// An order. It has lines.
pub const Order = struct {
    id: u32,
    lines: []const Line = &.{},

    pub fn total(self: Order, rate: u32) u32 {
        var sum: u32 = 0;
        for (self.lines) |line, index| {
            sum += line.price(rate) + index;
        }
        return sum;
    }

    fn empty() Order {
        const base = 0;
        return Order{ .id = base };
    }
};

const State = enum { open, closed };
const Value = union(enum) { number: u32 };
const Failure = error{ Missing, Late };
pub const limit: u8 = 10;
var counter: u32 = 0;

pub fn main() !void {
    const order = Order.empty();
    if (find(order)) |found| {
        std.debug.print("total() {}", .{found.total(limit)});
    }
    save(order) catch |problem| return problem;
}

test "total" {
    try std.testing.expect(true);
}

pub fn List(comptime T: type) type {
    return struct {
        items: []T,
        pub fn init() List(T) {
            return .{};
        }
    };
}
