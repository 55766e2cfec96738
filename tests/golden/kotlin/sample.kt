package org.example.shop

import java.time.Clock
import org.example.store.Store as Shelf
import org.example.tax.*

/** An order. It has lines. */
@Entity
data class Order<T>(val id: Int, private var owner: String = "total()") : Base<T>(id), Named {
    companion object {
        const val LIMIT = 10
        fun empty(): Order<Int> = Order(0)
    }

    init {
        check(id)
    }

    constructor(other: Order<T>) : this(other.id)

    val size: Int
        get() = lines.size
    lateinit var lines: List<Line>

    override suspend fun total(taxes: List<Tax>, vararg codes: Int): Int {
        val sum = taxes.map { it.rate }.sum()
        for ((index, tax) in taxes.withIndex()) tax.apply(index)
        val result = when (val first = codes.firstOrNull()) {
            is Int -> first
            else -> Shelf.find(key = sum)
        }
        try {
            lines.let { all -> all.forEach(::print) }
        } catch (problem: StoreException) {
            fun local() = problem.message
            local()
        }
        return result
    }
}

fun String.shout(): String = this.uppercase()

class Measured : Sized by Delegate()

interface Named {
    fun name(): String
}

object Registry {
    private fun register() {}
}

enum class State(val code: Int) {
    OPEN(1),
    CLOSED(2);

    fun next() = OPEN
}

typealias Orders = List<Order<*>>

val started = Clock.systemUTC()
const val MAX = 3

val String.initial: Char get() = first()
var <T> List<T>.label: String
    get() = title()
    set(value) {}
fun String?.orNone(): String = this ?: none()

class Meter {
    val level: Int
        get() = 1
    var peak = 0
        private set
        get() {
            return level
        }
    val last = 2
}

class Injected
@Inject
constructor(
    private val store: Store,
) : Machine() {
    fun run() {}
}

class Hidden<T : Any>
internal constructor(val value: T) {
    fun show() {}
}
