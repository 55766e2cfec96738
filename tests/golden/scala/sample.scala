package org.example.shop

import java.time.{Clock, Instant => Moment}
import org.example.tax._

/** An order. It has lines. */
case class Order[T](id: Int, owner: String = "total()") extends Base[T](id) with Named with Sized {
  val limit: Int = 10
  var lines: List[Line] = Nil

  private[shop] def total(taxes: List[Tax])(implicit rate: Int): Int = {
    val sum = taxes.map(_.rate).sum
    for { tax <- taxes; code = tax.code } yield apply(code)
    lines match {
      case Some(first) => first.price
      case Line(price, _) if price > sum => price
      case other: Empty => other.size
    }
    val twice = (value: Int) => value * 2
    try new Store(owner = this.owner).save(twice(sum))
    catch { case problem: StoreException => log(problem) }
  }

  def this(other: Order[T]) = this(other.id)
}

object Order {
  type Orders = List[Order[_]]
  def empty(id: Int) = new Order(id)
  implicit class Ops(text: String) {
    def shout = text.toUpperCase
  }
}

trait Named {
  def name(): String
}

enum State(val code: Int) {
  case Open extends State(1)
  case Closed
}

def top(value: Int) = value


extension [Item](items: List[Item])
  def second: Item = items(1)
