<html>
<?php
namespace App\Models;

use App\Support\{Clock, Mailer as Post};
use App\Base\Model;

require_once 'helpers.php';

const VERSION = 3;

/** A user. They log in. */
#[Entity]
abstract class User extends Model implements \JsonSerializable, Contracts\Named
{
    use Loggable;

    public const ROLE = 'user';
    protected ?string $name = null;
    private static int $count = 0;

    public function __construct(private Clock $clock, string $name = 'top_level()')
    {
        parent::__construct($clock->now());
        $this->name = format_name($name);
        self::$count++;
    }

    abstract protected function rights(): array;

    public static function make(Post $post): static
    {
        foreach (static::all() as $key => $user) {
            $user->notify(via: $post)->send($key);
        }
        return new static(new Clock());
    }
}

interface Named { public function name(): string; }
trait Loggable { private function logIt(string $line): void { error_log($line); } }
enum Suit: string { case Hearts = 'H'; public function label(): string { return ucfirst($this->value); } }
?>
<p>Text</p>
<?php
function top_level(array &$items, ...$rest) {
    global $settings;
    $double = fn($item) => $item * 2;
    $map = function ($item) use ($double) { return $double($item); };
    try { return array_map($map, $items); } catch (Failure | Late $problem) { return Suit::Hearts->label(); }
}
define('SHOP_ROOT', __DIR__);
if (!defined('SHOP_TAX')) { define("SHOP_TAX", rate('define')); }
/** Routes. */
#[Route(
    path: '/x',
)]
function routed() {}
?>
</html>
