// Draws simple shapes with smooth edges into raw RGB bytes.

export type Colour = readonly [red: number, green: number, blue: number]
export interface Point {
  x: number
  y: number
}

export class Canvas {
  readonly width: number
  readonly height: number
  readonly bytes: Buffer

  constructor(width: number, height: number) {
    this.width = width
    this.height = height
    this.bytes = Buffer.alloc(width * height * 3)
  }

  paint([red, green, blue]: Colour): void {
    for (let at = 0; at < this.bytes.length; at += 3) {
      this.bytes[at] = red
      this.bytes[at + 1] = green
      this.bytes[at + 2] = blue
    }
  }

  /** A line with round ends. */
  line(from: Point, to: Point, thickness: number, colour: Colour): void {
    const radius = thickness / 2
    const [dx, dy] = [to.x - from.x, to.y - from.y]
    const length = dx * dx + dy * dy
    const [left, right] = [Math.min(from.x, to.x) - radius - 1, Math.max(from.x, to.x) + radius + 1]
    const [top, bottom] = [Math.min(from.y, to.y) - radius - 1, Math.max(from.y, to.y) + radius + 1]
    for (let y = Math.max(0, Math.floor(top)); y < Math.min(this.height, bottom); y += 1) {
      for (let x = Math.max(0, Math.floor(left)); x < Math.min(this.width, right); x += 1) {
        const along = length === 0 ? 0 : ((x - from.x) * dx + (y - from.y) * dy) / length
        const share = Math.min(1, Math.max(0, along))
        const distance = Math.hypot(x - from.x - share * dx, y - from.y - share * dy)
        this.#blend(x, y, colour, Math.min(1, Math.max(0, radius + 0.5 - distance)))
      }
    }
  }

  disc(at: Point, radius: number, colour: Colour): void {
    this.line(at, at, 2 * radius, colour)
  }

  #blend(x: number, y: number, [red, green, blue]: Colour, share: number): void {
    if (share === 0) return
    const at = (y * this.width + x) * 3
    const mix = (offset: number, value: number) => {
      const before = this.bytes[at + offset] ?? 0
      this.bytes[at + offset] = Math.round(before + (value - before) * share)
    }
    mix(0, red)
    mix(1, green)
    mix(2, blue)
  }
}
