-- Who buys. And what.
CREATE TABLE IF NOT EXISTS shop.customers (
  id INT PRIMARY KEY,
  name TEXT NOT NULL
);

CREATE TABLE orders (
  id INT PRIMARY KEY,
  customer INT REFERENCES shop.customers (id)
);

CREATE OR REPLACE VIEW big_orders AS
SELECT o.id, count(*) FROM orders o JOIN shop.customers c ON c.id = o.customer;

CREATE FUNCTION add_tax(price INTEGER) RETURNS INTEGER AS $$
BEGIN
  RETURN price + 1;
END;
$$ LANGUAGE plpgsql;

CREATE TYPE state AS ENUM ('open', 'closed');
CREATE INDEX orders_by_customer ON orders (customer);
INSERT INTO orders (id) VALUES (1);

CREATE PROCEDURE shop.archive(IN days INT) BEGIN DELETE FROM orders; END;
CREATE OR REPLACE PROCEDURE purge() LANGUAGE plpgsql AS $$ BEGIN END; $$;
CREATE TABLE "Order Lines" ("Line Id" INT, `note` TEXT);
CREATE TABLE [dbo].[People] ([Name] INT);
CREATE SEQUENCE order_numbers;
CREATE DOMAIN email AS TEXT CHECK (VALUE LIKE '%@%');
CREATE SCHEMA billing;
CREATE TABLE [Texts] ([Id] INT IDENTITY(1, 1), [Body] VARCHAR(MAX));
CREATE OR ALTER PROCEDURE tidy() AS $$ BEGIN END; $$ LANGUAGE plpgsql;
