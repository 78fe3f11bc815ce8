import { Day } from '#ui/format/time.tsx'

/** One day, or the first and the last of several. */
export function DateSpan({ from, to }: { from: string; to: string | null }) {
  return (
    <>
      <Day value={from} />
      {to !== null && to !== from && (
        <>
          {' – '}
          <Day value={to} />
        </>
      )}
    </>
  )
}
