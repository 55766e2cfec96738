import Foundation
import class UIKit.UIView

/// An order. It has lines.
@MainActor
public final class Order<T>: Base, Named where T: Sized {
    static let shared = Order(id: 0)
    private(set) var owner: String = "total()"
    lazy var size: Int = lines.count

    init?(id: Int, _ lines: String...) {
        super.init()
        self.owner = lines.first ?? ""
    }

    func total(with taxes: [Tax], by rate: inout Int) throws -> Int {
        let sum = taxes.map { $0.rate }.reduce(0, add)
        for tax in taxes {
            tax.apply(to: sum)
        }
        guard let first = taxes.first else { return 0 }
        if let second = find(first) {
            second.check()
        }
        do {
            try Store.save(self)
        } catch let problem {
            log(problem)
        }
        return helper(first)
    }

    enum State {
        case open(Int), paid
        case closed
    }
}

struct Line {
    var price: Int
}

protocol Named: AnyObject {
    associatedtype Key
    func name() -> String
    var label: String { get }
}

extension Order: Sized {
    func extra() {}
}

typealias Orders = [Order<Int>]

actor Registry {
    func register() async {}
}

func top<T>(_ value: T) -> T { value }
let started = Date()

final class Buffer {
    /// The item at a place.
    subscript(index: Int) -> Int { read(index) }
    deinit { free() }
}

extension Buffer {
    static subscript(name: String) -> Int { 0 }
}

public macro twice(_ value: Int) -> Int = #externalMacro(module: "Macros", type: "Twice")
macro plain(_ value: Int) = #externalMacro(module: "Macros", type: "Plain")
precedencegroup Late { associativity: left }
let (low, high) = (1, 2)
@Test func halves() { switch state { case .open: halves() default: return } }

final class Guarded {
    #if canImport(Darwin)
    private let lock = Fast()
    #else
    #error("none")
    #endif
    private nonisolated(unsafe) var value: Int
    func read() {}
}

extension [Buffer] {
    func joined() {}
}
