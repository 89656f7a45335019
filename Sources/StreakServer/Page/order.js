/** The order of the habits and which are hidden, kept in this browser for each ledger. */
class Order {
  get key() {
    return `streaks-order-${ledger.id}`;
  }

  get kept() {
    try {
      return { order: [], hidden: [], ...JSON.parse(localStorage.getItem(this.key)) };
    } catch {
      return { order: [], hidden: [] };
    }
  }

  keep(changes) {
    localStorage.setItem(this.key, JSON.stringify({ ...this.kept, ...changes }));
  }

  isHidden(habit) {
    return this.kept.hidden.includes(habit);
  }

  /** Returns the habits in this browser's order; habits that it does not have come last. */
  get habits() {
    const { order } = this.kept;
    const ids = ledger.state.habits.map(({ habit }) => habit);
    const place = (id) => (order.includes(id) ? order.indexOf(id) : order.length + ids.indexOf(id));
    return ids.sort((a, b) => place(a) - place(b));
  }

  /** Moves a habit before or after the next one of `shown`. */
  move(habit, step, shown) {
    const neighbour = shown[shown.indexOf(habit) + step];
    if (!neighbour) return;
    const order = this.habits.filter((id) => id !== habit);
    order.splice(order.indexOf(neighbour) + (step > 0 ? 1 : 0), 0, habit);
    this.keep({ order });
  }

  hide(habit, isHidden) {
    const others = this.kept.hidden.filter((id) => id !== habit);
    this.keep({ hidden: isHidden ? [...others, habit] : others });
  }
}
