// Regular expressions that clinics write. JavaScript's own engine may try exponentially many ways through a text, so these
// run on one of their own that follows all ways at once (Thompson): its time is at most the text times the expression.
// The syntax is JavaScript's with the flag u, without what needs a memory of the way: lookaround, backreferences, word
// boundaries, anchors in the middle. The whole text must match, as with the attribute `pattern` of HTML.

const MAX_STEPS = 500
/** Text longer than this does not match, whatever the expression. */
export const MAX_PATTERN_TEXT_LENGTH = 1_000

type Test = (character: string) => boolean
type Node =
  | { kind: 'one'; test: Test }
  | { kind: 'all'; parts: Node[] }
  | { kind: 'any'; choices: Node[] }
  | { kind: 'repeat'; part: Node; min: number; max: number }

/** `one` goes on to the next step with a character that fits, `fork` to each of its targets with none. */
type Step = { one: Test } | { fork: number[] }
export type Program = readonly Step[]

class Unreadable extends Error {}

/** What the expression becomes, or what is wrong with it. */
export function readPattern(source: string): { program: Program } | { problem: string } {
  try {
    new RegExp(source, 'u')
    return { program: compile(new Reader(source).whole()) }
  } catch (error) {
    return { problem: error instanceof Unreadable ? error.message : 'is not a regular expression' }
  }
}

export function matchesPattern(source: string, text: string): boolean {
  const read = readPattern(source)
  return 'program' in read && text.length <= MAX_PATTERN_TEXT_LENGTH && run(read.program, text)
}

function run(program: Program, text: string): boolean {
  let places = new Set<number>()
  follow(program, 0, places)
  for (const character of text) {
    const next = new Set<number>()
    for (const place of places) {
      const step = program[place]
      if (step && 'one' in step && step.one(character)) follow(program, place + 1, next)
    }
    places = next
  }
  return places.has(program.length)
}

/** Adds every place that is reached from `start` without a character. */
function follow(program: Program, start: number, places: Set<number>): void {
  const waiting = [start]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (places.has(place)) continue
    places.add(place)
    const step = program[place]
    if (step && 'fork' in step) waiting.push(...step.fork)
  }
}

function compile(root: Node): Program {
  const steps: Step[] = []
  let emitted = 0 // nodes: an empty one makes no step, however often it is repeated
  const add = (step: Step): void => void steps.push(step)
  const emit = (node: Node): void => {
    emitted += 1
    if (emitted > MAX_STEPS || steps.length > MAX_STEPS) throw new Unreadable('is too large: use fewer repetitions')
    if (node.kind === 'one') add({ one: node.test })
    else if (node.kind === 'all') for (const part of node.parts) emit(part)
    else if (node.kind === 'any') emitAny(node.choices)
    else emitRepeat(node.part, node.min, node.max)
  }
  const emitAny = (choices: Node[]): void => {
    const forks: number[] = []
    const ends: number[][] = []
    add({ fork: forks })
    for (const choice of choices) {
      forks.push(steps.length)
      emit(choice)
      const end: number[] = []
      add({ fork: end })
      ends.push(end)
    }
    for (const end of ends) end.push(steps.length)
  }
  const emitRepeat = (part: Node, min: number, max: number): void => {
    for (let count = 0; count < min; count += 1) emit(part)
    if (max === Number.POSITIVE_INFINITY) {
      const start = steps.length
      const fork: number[] = [start + 1]
      add({ fork })
      emit(part)
      add({ fork: [start] })
      fork.push(steps.length)
      return
    }
    const forks: number[][] = []
    for (let count = min; count < max; count += 1) {
      const fork = [steps.length + 1]
      forks.push(fork)
      add({ fork })
      emit(part)
    }
    for (const fork of forks) fork.push(steps.length)
  }
  emit(root)
  return steps
}

const QUANTIFIER = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/
/** One character: a class, an escape or itself. */
const ATOM =
  /^(?:\[(?:\\.|[^\\\]])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\x..|\\c.|\\.|.)/su

/** Reads an expression that JavaScript has found valid. */
class Reader {
  #rest: string
  constructor(source: string) {
    this.#rest = source
  }

  whole(): Node {
    return this.#choices(true)
  }

  #choices(outermost: boolean): Node {
    const choices = [this.#sequence(outermost)]
    while (this.#take('|')) choices.push(this.#sequence(outermost))
    return choices.length === 1 && choices[0] ? choices[0] : { kind: 'any', choices }
  }

  /** Of the outermost alternatives, `^` at the beginning and `$` at the end say what is so anyway. */
  #sequence(outermost: boolean): Node {
    const parts: Node[] = []
    if (outermost) this.#take('^')
    while (this.#rest !== '' && !/^[|)]/.test(this.#rest)) {
      if (outermost && /^\$(\||$)/.test(this.#rest)) this.#take('$')
      else parts.push(this.#quantified(this.#part()))
    }
    return { kind: 'all', parts }
  }

  #part(): Node {
    if (this.#take('(')) {
      if (this.#rest.startsWith('?') && !this.#take('?:')) throw new Unreadable('must not contain (?=, (?!, (?<')
      const inside = this.#choices(false)
      this.#take(')')
      return inside
    }
    const [source = ''] = ATOM.exec(this.#rest) ?? []
    if (source === '^' || source === '$') throw new Unreadable(`must not contain ${source} in the middle`)
    if (/^\\[1-9kbB]/.test(source)) throw new Unreadable(`must not contain ${source}`)
    this.#take(source)
    if (!/^[\\[.]/.test(source)) return { kind: 'one', test: (character) => character === source }
    const one = new RegExp(`^${source}$`, 'u')
    return { kind: 'one', test: (character) => one.test(character) }
  }

  #quantified(part: Node): Node {
    const [source, sign, from, comma, to] = QUANTIFIER.exec(this.#rest) ?? []
    if (source === undefined) return part
    this.#take(source)
    const many = Number.POSITIVE_INFINITY
    if (sign !== undefined) return { kind: 'repeat', part, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : many }
    const min = Number(from)
    return { kind: 'repeat', part, min, max: comma === '' ? min : to === '' ? many : Number(to) }
  }

  #take(text: string): boolean {
    if (!this.#rest.startsWith(text)) return false
    this.#rest = this.#rest.slice(text.length)
    return true
  }
}
