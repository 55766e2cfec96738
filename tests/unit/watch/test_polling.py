from code_indexer.watch.polling import Polling


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_first_look_has_nothing_to_compare_with():
    polling = Polling(lambda: {"a.py": 1}, Clock(), 3.0)

    assert not polling.has_changed()


def test_a_new_stamp_is_a_change_once():
    files = {"a.py": 1}
    polling = Polling(lambda: dict(files), Clock(), 3.0)
    polling.has_changed()

    files["a.py"] = 2

    assert [polling.has_changed(), polling.has_changed()] == [True, False]


def test_it_looks_once_in_a_period():
    clock = Clock()
    polling = Polling(dict, clock, 3.0)
    clock.now = 100.0

    polling.has_changed()

    assert polling.next_look == 103.0


def test_looks_that_take_long_come_less_often():
    clock = Clock()

    def take():
        clock.now += 2.0
        return {}

    polling = Polling(take, clock, 3.0)

    polling.has_changed()

    assert polling.next_look == 22.0
