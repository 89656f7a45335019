/** The order of the habits and which are hidden, kept in this browser for each ledger. */
class Order {
  get kept() {
    return { order: [], hidden: [], ...JSON.parse(localStorage.getItem(`streaks-order-${ledger.id}`)) };
  }

  keep(changes) {
    localStorage.setItem(`streaks-order-${ledger.id}`, JSON.stringify({ ...this.kept, ...changes }));
  }

  isHidden(habit) {
    return this.kept.hidden.includes(habit);
  }

  /** Returns the habits in this browser's order; habits that it does not have come last. */
  get habits() {
    const ids = ledger.state.habits.map(({ habit }) => habit);
    return [...new Set([...this.kept.order.filter((id) => ids.includes(id)), ...ids])];
  }

  /** Moves a habit to the place of the previous or the next one of `shown`. */
  move(habit, step, shown) {
    const order = this.habits;
    const neighbour = order.indexOf(shown[shown.indexOf(habit) + step]);
    if (neighbour < 0) return;
    order.splice(order.indexOf(habit), 1);
    order.splice(neighbour, 0, habit);
    this.keep({ order });
  }

  hide(habit, isHidden) {
    const others = this.kept.hidden.filter((id) => id !== habit);
    this.keep({ hidden: isHidden ? [...others, habit] : others });
  }
}
