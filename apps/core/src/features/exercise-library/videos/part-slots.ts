import { unavailable } from '@tendon/http'

/** A part is kept in memory until it is stored: at most 192 MB of the server, 32 MB for one person. */
const MAX_PARTS_OF_SERVER = 24
const MAX_PARTS_OF_PERSON = 4

/** Bounds how many parts of uploads are received at once; more are refused (503), and the client sends them again. */
export class PartSlots {
  readonly #ofPerson = new Map<string, number>()
  #all = 0

  async hold<Result>(person: string, receive: () => Promise<Result>): Promise<Result> {
    const held = this.#ofPerson.get(person) ?? 0
    if (held >= MAX_PARTS_OF_PERSON || this.#all >= MAX_PARTS_OF_SERVER) throw unavailable({}, { 'retry-after': '1' })
    this.#change(person, 1)
    try {
      return await receive()
    } finally {
      this.#change(person, -1)
    }
  }

  #change(person: string, by: number): void {
    this.#all += by
    const held = (this.#ofPerson.get(person) ?? 0) + by
    if (held === 0) this.#ofPerson.delete(person)
    else this.#ofPerson.set(person, held)
  }
}
