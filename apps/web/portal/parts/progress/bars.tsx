import classes from './progress.module.css'

export interface Bar {
  key: string
  /** Text below the bar. */
  label: string
  /** Also above the bar; null when there is no data. */
  value: number | null
}

/** A bar for each week, and a table with the same numbers for screen readers. */
export function Bars({ bars, max }: { bars: readonly Bar[]; max: number }) {
  return (
    <div className={classes.bars} aria-hidden="true">
      {bars.map(({ key, label, value }) => (
        <div key={key}>
          <span className={classes.value}>{value}</span>
          <span className={classes.column}>
            <svg viewBox="0 0 10 100" preserveAspectRatio="none">
              <rect
                x="0"
                width="10"
                y={100 - (100 * (value ?? 0)) / Math.max(1, max)}
                height={(100 * (value ?? 0)) / Math.max(1, max)}
              />
            </svg>
          </span>
          <span className={classes.label}>{label}</span>
        </div>
      ))}
    </div>
  )
}
