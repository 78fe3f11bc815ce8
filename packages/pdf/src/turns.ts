/** What waits, a queue per owner. Owners take turns: who was served last comes last. */
export class Turns<Task extends { owner: string | undefined }> {
  readonly #queues = new Map<string | undefined, Task[]>()

  get size(): number {
    return this.#queues.values().reduce((sum, queue) => sum + queue.length, 0)
  }

  countOf(owner: string | undefined): number {
    return this.#queues.get(owner)?.length ?? 0
  }

  add(task: Task): void {
    this.#queues.set(task.owner, [...(this.#queues.get(task.owner) ?? []), task])
  }

  /** The oldest task of the first owner who may have one; it keeps its place until it is served or removed. */
  first(mayRun: (owner: string | undefined) => boolean): Task | undefined {
    for (const [owner, [task]] of this.#queues) if (mayRun(owner)) return task
    return undefined
  }

  /** Removes the task, and its owner comes last. */
  serve(task: Task): void {
    if (!this.remove(task)) return
    const rest = this.#queues.get(task.owner)
    if (!rest) return
    this.#queues.delete(task.owner)
    this.#queues.set(task.owner, rest)
  }

  /** False when it does not wait. */
  remove(task: Task): boolean {
    const queue = this.#queues.get(task.owner)
    if (!queue?.includes(task)) return false
    const rest = queue.filter((one) => one !== task)
    if (rest.length > 0) this.#queues.set(task.owner, rest)
    else this.#queues.delete(task.owner)
    return true
  }

  removeAll(): Task[] {
    const all = [...this.#queues.values()].flat()
    this.#queues.clear()
    return all
  }
}
