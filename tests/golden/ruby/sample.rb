require 'json'
require_relative 'store/base'

module Shop
  # An order. It has lines.
  class Order < Store::Base
    include Comparable
    LIMIT = 10
    attr_accessor :lines, :owner

    def initialize(owner, *lines, limit: LIMIT, &block)
      @owner = owner
      super(lines)
    end

    def self.find(id)
      new(Store.fetch(id)).tap { |order| order.check! }
    end

    def total?(tax = 0)
      sum = lines.map(&:price).sum
      lines.each_with_index { |line, index| puts line.name, index }
      sum > tax
    rescue ArgumentError => problem
      log "total? #{problem.message}"
    end

    class << self
      def build; end
    end

    define_method(:dynamic) { |value| value }

    private

    def check!
      yield owner if block_given?
    end
  end
end

class Shop::Item; end

def helper
  Shop::Order.find 1
end

class Basket
  alias add push
  alias :item? :key?
  alias_method :size, :count
end

class Vault
  attr_reader 'lock', "bolt"
  define_method("open!") { lock }
  class << self
    private

    def secret; end
  end

  def shown; end

  private

  def hidden; end
  private def also_hidden; end

  public

  def named; end
  private :named
  def self.open_all; end

  protected

  attr_writer :code
end
