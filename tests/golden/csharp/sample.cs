using System;
using Text = System.Text.StringBuilder;
using static System.Math;

namespace Shop.Orders
{
    /// <summary>An order. It has lines.</summary>
    [Serializable]
    public partial class Order<T> : Entity<T>, IOrder where T : struct
    {
        public const int MaxLines = 10;
        private readonly Dictionary<string, Line> lines = new();
        public string Name { get; set; } = "Total()";
        public event EventHandler Changed;

        public Order(int id) : base(id) { lines.Clear(); }

        public Line this[int index] => lines[index.ToString()];

        protected override async Task<decimal> Total<U>(List<U> taxes, out int count, params int[] codes)
        {
            var sum = Max(0, 1);
            foreach (var tax in taxes) sum += tax.Apply(rate: 2);
            try { await Store.SaveAsync(this); }
            catch (SaveException problem) when (problem.Fatal) { throw new OrderException(problem); }
            Func<int, int> twice = (value) => value * 2;
            int Local(int value) => twice(value);
            if (sum is decimal found) count = Local((int)found);
            return lines.Values.Sum(line => line.Price);
        }
    }

    public interface IOrder { void Close(int code); string Name { get; } }
    public enum State { Open, Closed = 2 }
    public struct Money { public decimal Amount; }
    public record Line(string Title, decimal Price);
    public delegate void Notify(Order<int> order);

    public class Handle
    {
        public static implicit operator Handle(int number) => new Handle();
        public static explicit operator int(Handle handle) => handle.Number();
        ~Handle() { Free(); }
    }
}

public record Invoice(string Number) : Document<Invoice>(Number), IPrinted;
public readonly record struct Point(int X, int Y);
public class Printer(ILog log, Store store) : Machine
{
    public void Print(object page)
    {
        log.Write(store.Name);
        if (page is Invoice { Number: "1" } found) found.Print();
        var names = from line in store.Lines where line.Open select line.Name;
    }
}
