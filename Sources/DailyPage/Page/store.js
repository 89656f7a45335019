/** The database of this browser: taps that wait, and the last state of each ledger. */
const database = new Promise((resolve, reject) => {
  const opening = indexedDB.open("streaks", 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore("queue", { keyPath: "number", autoIncrement: true });
    opening.result.createObjectStore("ledgers", { keyPath: "id" });
  };
  opening.onsuccess = () => resolve(opening.result);
  opening.onerror = () => reject(opening.error);
});
database.catch(() => {});

/** Runs `work` on an object store, and returns the result of its request once everything is on the disk. */
async function stored(name, mode, work) {
  const transaction = (await database).transaction(name, mode, { durability: "strict" });
  return new Promise((resolve, reject) => {
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
    const result = work(transaction.objectStore(name));
    transaction.oncomplete = () => resolve(result.result);
  });
}
