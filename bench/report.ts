import type { Busy } from './busy.ts'
import type { LoadResult } from './load.ts'

/** Collects the lines of one bench and prints them as a table: figures first, then ratios with their targets. */
export class Report {
  readonly #lines: string[] = []

  row(name: string, perSecond: number): void {
    this.#lines.push(`${name.padEnd(56)}${Math.round(perSecond).toLocaleString('en').padStart(9)} /s`)
  }

  load(name: string, { perSecond, p50, p99, refused }: LoadResult): void {
    this.row(name, perSecond)
    this.#lines.push(
      `${''.padEnd(56)}  p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms${refused > 0 ? `, ${refused} REFUSED: void` : ''}`,
    )
  }

  ratio(name: string, value: number, aim?: number): void {
    const verdict = aim === undefined ? '' : value >= aim ? `  (aim ${aim}: met)` : `  (aim ${aim}: MISSED)`
    this.#lines.push(`${name.padEnd(56)}${value.toFixed(2).padStart(9)}${verdict}`)
  }

  below(name: string, value: number, limit: number): void {
    this.#lines.push(
      `${name.padEnd(56)}${value.toFixed(1).padStart(9)}  (under ${limit}: ${value < limit ? 'met' : 'MISSED'})`,
    )
  }

  text(line: string): void {
    this.#lines.push(line)
  }

  /** What limits a figure: no idle time means processor time, and the largest share shows whose. */
  bound(name: string, { cores, server, others, load, idle }: Busy): void {
    const percent = (share: number) => `${Math.round(share * 100)} %`
    const shares = `server ${percent(server)}, PostgreSQL and whatever else ran ${percent(others)}, load generator ${percent(load)}, idle ${percent(idle)}`
    this.#lines.push(`What bounds ${name} on ${cores} cores: ${shares}`)
  }

  print(): void {
    console.log(this.#lines.join('\n'))
  }
}
