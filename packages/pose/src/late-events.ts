interface MediaEvent {
  event: string
  media_id: string
}

/**
 * Media events in order of time, without those that came too late to make their item current again: it had a
 * `session_start`, and another item followed with one. A page that is closed may still tell that it was hidden.
 */
export function withoutLate<Event extends MediaEvent>(events: readonly Event[]): Event[] {
  const started = new Set<string>()
  let current: { media_id: string; isStarted: boolean } | undefined
  return events.filter(({ event, media_id }) => {
    const isStart = event === 'session_start'
    const isOther = current !== undefined && current.media_id !== media_id
    if (isOther && current?.isStarted && started.has(media_id) && !isStart && event !== 'session_end') return false
    if (isStart) started.add(media_id)
    if (isStart || current?.media_id !== media_id) current = { media_id, isStarted: isStart }
    return true
  })
}
