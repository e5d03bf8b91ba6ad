from setwise.training.run.dataset import epoch_order


def test_every_epoch_uses_every_problem_once_in_an_order_of_its_own():
    order = epoch_order(50, 150, seed=3)
    epochs = [order[start : start + 50] for start in (0, 50, 100)]
    assert all(sorted(epoch) == list(range(50)) for epoch in epochs)
    assert epochs[0] != epochs[1] != epochs[2]
    assert order == epoch_order(50, 400, seed=3)[:150]
    assert order != epoch_order(50, 150, seed=4)
