defmodule Shop.Order do
  @moduledoc "An order."
  use Shop.Schema, prefix: "total()"
  alias Shop.{Line, Tax}
  alias Shop.Store, as: Shelf
  import Ecto.Query
  require Logger

  @limit 10
  defstruct [:id, lines: []]

  # Sums it up. With taxes.
  @spec total(t(), [Tax.t()]) :: integer
  def total(%__MODULE__{lines: lines} = order, [first | rest], rate \\ 1) when is_list(lines) do
    sum = lines |> Enum.map(fn line -> line.price end) |> add(rate)

    case Shelf.fetch(order) do
      {:ok, %Line{} = line} -> apply_tax(line, first)
      :error -> Logger.error("total() #{inspect(rest)}")
    end

    Enum.each(lines, &print/1)
    check sum
  end

  def total(nil, _taxes, _rate), do: 0
  defp check(sum), do: sum
  defmacro debug(value), do: value
  defguard is_order(value) when is_map(value)
  defdelegate reload(order), to: Shelf
end

defprotocol Shop.Named do
  def name(thing)
end

defimpl Shop.Named, for: Shop.Order do
  def name(order), do: order.id
end

defmodule Shop.Money do
  @typedoc "An amount."
  @type t :: integer
  @typep rate(kind) :: {kind, number}
  @opaque token :: binary
  @callback convert(t) :: t when t: var
  @callback zero :: t

  @doc "Adds."
  def left + right, do: add(left, right)
  defmacro left ~> right when is_atom(right), do: pipe(left, right)
end

defmodule Shop.Long do
  @doc "Joins."
  @spec join(
          map,
          keyword
        ) :: {:ok, map}
             | :error
  def join(left, right), do: {left, right}
end
