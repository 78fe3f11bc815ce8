import { useKeys } from '#ui/keyboard/use-keys.ts'
import type { ReviewClock } from './clock.ts'
import type { Marker } from './markers.ts'

const STEP_MS = 1_000
const FASTEST = 4

/** The first marker after a time. */
export const markerAfter = (markers: readonly Marker[], ms: number) => markers.find(({ at_ms }) => at_ms > ms)
export const markerBefore = (markers: readonly Marker[], ms: number) => markers.findLast(({ at_ms }) => at_ms < ms)

export const toggle = (clock: ReviewClock) => (clock.playing() ? clock.pause() : clock.play())

/** As in video editors: space, arrows, J K L, and N and B for the markers. */
export function useReviewKeys(clock: ReviewClock, markers: readonly Marker[]): void {
  const faster = (direction: 1 | -1) => {
    const isThatWay = clock.playing() && Math.sign(clock.rate()) === direction
    clock.play(isThatWay ? direction * Math.min(FASTEST, Math.abs(clock.rate()) * 2) : direction)
  }
  const go = (marker: Marker | undefined) => marker && clock.seek(marker.at_ms)
  useKeys({
    ' ': () => toggle(clock),
    k: () => clock.pause(),
    l: () => faster(1),
    j: () => faster(-1),
    ArrowRight: () => clock.seek(clock.ms() + STEP_MS),
    ArrowLeft: () => clock.seek(clock.ms() - STEP_MS),
    n: () => go(markerAfter(markers, clock.ms())),
    b: () => go(markerBefore(markers, clock.ms())),
  })
}
