const MIN_CONTRAST = 4.5

/** Whether the contrast with white is at least 4.5 to 1 (WCAG 2), as text and as background. */
export function isReadable(color: string): boolean {
  const channel = (at: number) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  const luminance = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
  return 1.05 / (luminance + 0.05) >= MIN_CONTRAST
}
