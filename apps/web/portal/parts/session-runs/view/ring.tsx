import type { ReactNode } from 'react'
import classes from './player.module.css'

const RADIUS = 46
const LENGTH = 2 * Math.PI * RADIUS

/** A progress ring with large content inside. */
export function Ring({ share, strong = false, children }: { share: number; strong?: boolean; children: ReactNode }) {
  const filled = Math.min(1, Math.max(0, share)) * LENGTH
  return (
    <div className={classes.ring} data-strong={strong}>
      <svg viewBox="0 0 100 100" aria-hidden="true">
        <circle cx="50" cy="50" r={RADIUS} className={classes.ringGround} />
        <circle
          cx="50"
          cy="50"
          r={RADIUS}
          className={classes.ringFill}
          strokeDasharray={`${filled} ${LENGTH}`}
          transform="rotate(-90 50 50)"
        />
      </svg>
      <div className={classes.ringText}>{children}</div>
    </div>
  )
}
