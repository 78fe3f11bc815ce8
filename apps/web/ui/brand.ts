import type { MantineColorsTuple } from '@mantine/core'
import { createContext, useContext, useLayoutEffect } from 'react'
import { tendon } from './theme.ts'

// A clinic's colour gives the hue; how light each shade is stays as in the theme. Contrast depends on luminance alone, so every
// pair of shades that passes AA in the theme passes with any clinic's colour, in light and dark.

const HEX = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i
const STEPS = 24

type Rgb = readonly [number, number, number]

const mapped = <Part>([red, green, blue]: readonly [Part, Part, Part], change: (part: Part) => number): Rgb => [
  change(red),
  change(green),
  change(blue),
]

function rgbOf(hex: string): Rgb {
  const [, red = '0', green = '0', blue = '0'] = HEX.exec(hex) ?? []
  return mapped([red, green, blue], (part) => Number.parseInt(part, 16) / 255)
}

const hexOf = (rgb: Rgb): string =>
  `#${rgb
    .map((part) =>
      Math.round(part * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

/** Relative luminance as WCAG defines it. */
export function luminanceOf(hex: string): number {
  const [red, green, blue] = rgbOf(hex).map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

/** Mixes the colour with black (amount below 0) or white (above 0); keeps the hue. */
const mixed = (rgb: Rgb, amount: number): Rgb =>
  mapped(rgb, (part) => (amount < 0 ? part * (1 + amount) : part + (1 - part) * amount))

/** The shade of a colour that is as light as another colour. */
export function shadeLike(hex: string, like: string): string {
  const rgb = rgbOf(hex)
  const wanted = luminanceOf(like)
  let [low, high] = [-1, 1]
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2
    if (luminanceOf(hexOf(mixed(rgb, middle))) < wanted) low = middle
    else high = middle
  }
  return hexOf(mixed(rgb, low))
}

export function paletteOf(brand: string): MantineColorsTuple {
  const [a, b, c, d, e, f, g, h, i, j] = tendon
  const like = (shade: string) => shadeLike(brand, shade)
  return [like(a), like(b), like(c), like(d), like(e), like(f), like(g), like(h), like(i), like(j)]
}

/** Gives the whole page a colour; null: that of the theme. */
export const SetBrand = createContext<(color: string | null) => void>(() => {})

/** Shows the page in the clinic's colour; undefined while it is not known. */
export function useBrand(color: string | null | undefined): void {
  const setBrand = useContext(SetBrand)
  useLayoutEffect(() => {
    if (color !== undefined) setBrand(color)
  }, [color, setBrand])
}
