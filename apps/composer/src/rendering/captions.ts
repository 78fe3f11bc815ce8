// WebVTT cues of the pieces, moved to their place in the whole.

interface CaptionPiece {
  text: string
  startSeconds: number
  endSeconds: number
}

const TIME = /(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})/
const TIMING = new RegExp(`^${TIME.source}[ \\t]+-->[ \\t]+${TIME.source}([ \\t].*)?$`)

/** Whether the text is WebVTT with at least one cue. */
export const isWebVtt = (text: string): boolean => text.startsWith('WEBVTT') && cuesOf(text).length > 0

interface Cue {
  start: number
  end: number
  settings: string
  lines: string[]
}

function cuesOf(text: string): Cue[] {
  const blocks = text
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .slice(1)
  return blocks.flatMap((block) => {
    const lines = block.split('\n').filter((line) => line !== '')
    const at = lines.findIndex((line) => TIMING.test(line))
    const match = at < 0 || at > 1 ? null : TIMING.exec(lines[at] ?? '')
    if (!match) return []
    const [start, end] = [seconds(match.slice(1, 5)), seconds(match.slice(5, 9))]
    return [{ start, end, settings: match[9] ?? '', lines: lines.slice(at + 1).map(withoutArrow) }]
  })
}

const withoutArrow = (line: string) => line.replaceAll('-->', '->')

const seconds = ([hours = '0', minutes = '0', whole = '0', parts = '0']: (string | undefined)[]) =>
  Number(hours) * 3600 + Number(minutes) * 60 + Number(whole) + Number(parts) / 1000

export function joinCaptions(pieces: readonly CaptionPiece[]): string {
  const cues = pieces.flatMap(({ text, startSeconds, endSeconds }) =>
    cuesOf(text)
      .map((cue) => ({ ...cue, start: cue.start + startSeconds, end: Math.min(cue.end + startSeconds, endSeconds) }))
      .filter((cue) => cue.end > cue.start),
  )
  const written = cues.map((cue) =>
    [`${shown(cue.start)} --> ${shown(cue.end)}${cue.settings}`, ...cue.lines].join('\n'),
  )
  return `${['WEBVTT', ...written].join('\n\n')}\n`
}

function shown(time: number): string {
  const ms = Math.round(time * 1000)
  const [hours, minutes, rest] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, ms % 60_000]
  const two = (number: number) => String(number).padStart(2, '0')
  return `${two(hours)}:${two(minutes)}:${two(Math.floor(rest / 1000))}.${String(rest % 1000).padStart(3, '0')}`
}
