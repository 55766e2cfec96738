"""A few lines of source per language, for tests that repeat, cut and damage them."""

SAMPLES: dict[str, str] = {
    "python": '''"""A bank."""
import os


@dataclass
class Account:
    """Money of one owner."""

    balance: int = 0

    def pay(self, amount: int) -> int:
        # never below zero
        if amount > self.balance:
            raise ValueError("too little")
        self.balance -= amount
        return self.balance


async def fetch(url):
    async with get(url) as answer:
        return [line async for line in answer if line]
''',
    "javascript": """import { get } from './net.js';

/** Counts down. */
export class Timer extends Base {
  #left = 10;
  tick() { return --this.#left; }
}

const run = async (count = 3) => {
  for (let i = 0; i < count; i++) {
    await get(`/step/${i}`);
  }
};
module.exports = { run };
""",
    "typescript": """export interface Shape<T> { area(): number; readonly name: string }

type Pair<A, B = A> = [A, B];

enum Colour { Red = 'r', Green = 'g' }

export abstract class Box<T extends Shape<T>> implements Shape<T> {
  constructor(private readonly items: T[] = []) {}
  area(): number { return this.items.reduce((sum, each) => sum + each.area(), 0); }
}
""",
    "tsx": """export function Row({ label, onPick }: Props): JSX.Element {
  const [open, setOpen] = useState<boolean>(false);
  return (
    <li className="row" onClick={() => onPick(label)}>
      {open ? <b>{label}</b> : null}
    </li>
  );
}
""",
    "go": """package bank

import "errors"

// Account holds money.
type Account struct {
	balance int
}

// Pay takes money out.
func (a *Account) Pay(amount int) error {
	if amount > a.balance {
		return errors.New("too little")
	}
	a.balance -= amount
	return nil
}
""",
    "rust": """//! A bank.
use std::fmt;

/// Money of one owner.
#[derive(Debug, Clone)]
pub struct Account<'a> { owner: &'a str, balance: u64 }

impl<'a> Account<'a> {
    /// Takes money out.
    pub fn pay(&mut self, amount: u64) -> Result<u64, fmt::Error> {
        match self.balance.checked_sub(amount) {
            Some(left) => { self.balance = left; Ok(left) }
            None => Err(fmt::Error),
        }
    }
}
""",
    "java": """package bank;

import java.util.List;

/** Money of one owner. */
public final class Account<T extends Owner> {
    private int balance;

    @Override
    public String toString() { return "account " + balance; }

    int pay(int amount) throws Exception {
        if (amount > balance) { throw new Exception("too little"); }
        return balance -= amount;
    }
}
""",
    "c": """#include <stdio.h>
#define LIMIT 10

struct account { int balance; };

#ifdef DEBUG
static void show(const struct account *a) {
#else
static void show(struct account *a) {
#endif
    printf("%d\\n", a->balance);
}

int pay(struct account *a, int amount) { return a->balance -= amount; }
""",
    "cpp": """#include <vector>
namespace bank {
template <typename T>
class Account : public Base<T> {
 public:
  explicit Account(int balance) : balance_(balance) {}
  int pay(int amount) const noexcept;

 private:
  int balance_ = 0;
};

template <typename T>
int Account<T>::pay(int amount) const noexcept { return balance_ - amount; }
}  // namespace bank
""",
    "csharp": """using System;

namespace Bank
{
    /// <summary>Money of one owner.</summary>
    [Serializable]
    public class Account<T> : IAccount where T : class
    {
        public int Balance { get; private set; }

        public async Task<int> PayAsync(int amount) => Balance -= amount;
    }
}
""",
    "php": """<h1><?= $title ?></h1>
<?php
namespace Bank;

/** Money of one owner. */
final class Account extends Base implements Payable
{
    private int $balance = 0;

    public function pay(int $amount): int
    {
        return $this->balance -= $amount;
    }
}
""",
    "ruby": """require 'json'

module Bank
  # Money of one owner.
  class Account < Base
    attr_reader :balance

    def pay(amount)
      raise ArgumentError, "too little #{amount}" if amount > balance
      @balance -= amount
    end
  end
end
""",
    "kotlin": """package bank

/** Money of one owner. */
@Serializable
data class Account(val owner: String, var balance: Int = 0) : Payable {
    companion object { const val LIMIT = 10 }

    suspend fun pay(amount: Int): Int {
        require(amount <= balance) { "too little" }
        return balance - amount
    }
}
""",
    "swift": """import Foundation

/// Money of one owner.
public struct Account: Payable {
    private(set) var balance = 0

    public mutating func pay(_ amount: Int) throws -> Int {
        guard amount <= balance else { throw PayError.tooLittle }
        balance -= amount
        return balance
    }
}
""",
    "scala": """package bank

/** Money of one owner. */
final case class Account(owner: String, balance: Int) extends Payable {
  def pay(amount: Int): Either[String, Account] =
    if (amount > balance) Left("too little")
    else Right(copy(balance = balance - amount))
}

object Account { implicit val ordering: Ordering[Account] = Ordering.by(_.balance) }
""",
    "elixir": '''defmodule Bank.Account do
  @moduledoc """
  Money of one owner.
  """
  defstruct balance: 0

  @doc "Takes money out."
  @spec pay(t(), integer()) :: {:ok, t()} | {:error, atom()}
  def pay(%{balance: balance}, amount) when amount > balance, do: {:error, :too_little}

  def pay(account, amount) do
    {:ok, %{account | balance: account.balance - amount}}
  end
end
''',
    "lua": """local M = {}

--- Takes money out.
function M.pay(account, amount)
  if amount > account.balance then
    error("too little")
  end
  account.balance = account.balance - amount
  return account.balance
end

return M
""",
    "bash": """#!/usr/bin/env bash
set -euo pipefail

# Takes money out.
pay() {
  local amount=$1
  if (( amount > balance )); then
    echo "too little" >&2
    return 1
  fi
  cat <<EOF
paid $amount
EOF
}
""",
    "haskell": """module Bank (pay) where

import qualified Data.Map as Map

-- | Money of one owner.
data Account = Account { owner :: String, balance :: Int } deriving (Show, Eq)

-- | Takes money out.
pay :: Int -> Account -> Either String Account
pay amount account
  | amount > balance account = Left "too little"
  | otherwise = Right account { balance = balance account - amount }
""",
    "zig": """const std = @import("std");

/// Money of one owner.
pub const Account = struct {
    balance: u32 = 0,

    pub fn pay(self: *Account, amount: u32) !u32 {
        if (amount > self.balance) return error.TooLittle;
        self.balance -= amount;
        return self.balance;
    }
};
""",
    "sql": """CREATE TABLE account (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL);

CREATE VIEW rich AS SELECT * FROM account WHERE balance > 1000;
""",
    "hcl": """variable "limit" {
  default = 10
}

resource "bank_account" "main" {
  balance = var.limit * 2
  tags    = { for key, value in var.tags : key => upper(value) }
}
""",
    "proto": """syntax = "proto3";

package bank;

message Account {
  string owner = 1;
  repeated int32 payments = 2;
}

service Bank { rpc Pay (Account) returns (Account); }
""",
    "graphql": """type Account implements Node @key(fields: "id") {
  id: ID!
  payments(first: Int = 10): [Payment!]!
}

query Balance($id: ID!) { account(id: $id) { ...Parts } }
""",
    "perl": """package Bank;
use strict;

# Takes money out.
sub pay {
    my ($self, $amount) = @_;
    die "too little" if $amount > $self->{balance};
    return $self->{balance} -= $amount;
}

1;
""",
    "css": """.row { color: red; }

@media (max-width: 40em) {
  .row > a:hover { display: none; }
}
""",
    "json": """{"name": "bank", "limits": [1, 2, 3],
 "nested": {"a": {"b": null}}, "ok": true}
""",
    "yaml": """name: bank
limits:
  - 1
  - {a: b}
text: |
  many
  lines
""",
    "toml": """[bank]
name = "bank"
limits = [1, 2]
""",
    "markdown": """# Bank

Money of *many* owners.

## Paying

```python
# not a heading
account.pay(3)
```

- one
- two

Setext
------

> quoted
""",
    "restructuredtext": """====
Bank
====

Money of *many* owners::

    account.pay(3)

Paying
------

.. code:: python

   def pay(): ...

* one
* two
""",
    "asciidoc": """= Bank

Money of many owners.

== Paying

----
= not a heading
----

* one
""",
    "html": """<!doctype html>
<html><head><style>b { color: red }</style></head>
<body><script>function greet() { return 1; }</script>
<p class="a">text</p></body></html>
""",
    "vue": """<template>
  <button @click="submit">{{ label }}</button>
</template>

<script setup lang="ts">
const label: string = 'go'
function submit(): void { console.log(label) }
</script>

<style scoped lang="scss">
.a { .b { color: red } }
</style>
""",
    "svelte": """<script lang="ts">
  export let name: string;
  function greet() { return `hi ${name}`; }
</script>

{#if name}<h1 on:click={greet}>{name}</h1>{/if}

<style>h1 { color: red }</style>
""",
    "notebook": """{
 "cells": [
  {"cell_type": "markdown", "metadata": {}, "source": ["# Money\\n", "\\n", "of owners"]},
  {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [],
   "source": [
    "%matplotlib inline\\n",
    "def pay(amount):\\n",
    "    return amount"
   ]}
 ],
 "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5
}
""",
}
