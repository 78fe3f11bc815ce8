import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { luminanceOf, paletteOf, shadeLike } from './brand.ts'
import { CHOSEN_DARK } from './theme.ts'

const AA = 4.5
const WHITE = '#ffffff'
/** Mantine's background in the dark scheme. */
const DARK = '#242424'

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

/** Pairs of text and background in the theme. */
function pairsOf(brand: string): [string, string, string][] {
  const shades = paletteOf(brand)
  const of = (index: number) => shades[index] ?? ''
  return [
    ['text of a button', WHITE, of(8)],
    ['text of a button under the pointer', WHITE, of(9)],
    ['link, light', of(8), WHITE],
    ['link, dark', of(3), DARK],
    ['chosen, light', of(9), of(0)],
    ['chosen, dark', of(1), shadeLike(brand, CHOSEN_DARK)],
  ]
}

describe('the colour of a clinic', () => {
  test('every colour gives shades that pass AA in light and dark', () => {
    const levels = ['00', '33', '66', '99', 'cc', 'ff']
    for (const red of levels)
      for (const green of levels)
        for (const blue of levels)
          for (const [name, text, ground] of pairsOf(`#${red}${green}${blue}`)) {
            const ratio = contrast(text, ground)
            assert.ok(ratio >= AA, `#${red}${green}${blue}: ${name} ${text} on ${ground} is ${ratio.toFixed(2)}`)
          }
  })

  test('the shade of buttons keeps the hue of the colour', () => {
    const [red, green, blue] = /#(..)(..)(..)/.exec(paletteOf('#c01818')[8] ?? '')?.slice(1) ?? []
    assert.ok(Number.parseInt(red ?? '', 16) > 3 * Number.parseInt(green ?? '', 16))
    assert.equal(green, blue)
    assert.match(paletteOf('#1030e0')[8] ?? '', /^#[0-4].[0-5].[c-f]/)
  })
})
