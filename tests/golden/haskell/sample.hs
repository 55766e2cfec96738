module Shop.Order (Order (..), total) where

import Data.Map (Map, insert)
import qualified Data.Set as Set
import Shop.Tax hiding (rate)

-- | An order. It has lines.
data Order a
  = Empty
  | Order {lines_ :: [Line a], owner :: String}
  deriving (Show, Eq)

newtype Money = Money {amount :: Int}

type Orders = Set.Set Int

class Named a where
  name :: a -> String
  name _ = "total"

instance Named (Order a) where
  name order = owner order

-- | Sums it up.
total :: Order Int -> Int -> Int
total Empty _ = 0
total order rate =
  let taxed = map (\line -> price line + rate) (lines_ order)
   in case taxed of
        [] -> zero
        (first : _) -> Set.size (Set.fromList taxed) + helper first
  where
    zero = 0

(<+>) :: Int -> Int -> Int
(<+>) left right = left + right

class Combine a where
  (<->) :: a -> a -> a

instance Combine Int where
  left <-> right = subtract right left

instance Show (Line a) where
  show One = render 1
  show _ = other

-- | Joins.
joined ::
  Int ->
  String ->
  String
joined count text = go' text
  where
    go' = id

listed = do
  one <- other
  let two = one
  return [each | each <- two, Just more <- each]
