import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type FontMetrics, readFontMetrics } from './font-metrics.ts'

// All weights of a font have the same characters.
const FONTS = [
  { family: 'Inter', folder: 'inter', file: 'Inter' },
  { family: 'Noto Sans Arabic', folder: 'noto-sans-arabic', file: 'NotoSansArabic' },
  { family: 'Noto Sans Hebrew', folder: 'noto-sans-hebrew', file: 'NotoSansHebrew' },
] as const
const WIDEST = '700Bold'
const WEIGHTS = ['400Regular', '600SemiBold', WIDEST]

const pathOf = (folder: string) =>
  dirname(fileURLToPath(import.meta.resolve(`@expo-google-fonts/${folder}/package.json`)))

/** The folders that the compiler reads fonts from. */
export const listFontFolders = (): string[] =>
  FONTS.flatMap(({ folder }) => WEIGHTS.map((weight) => join(pathOf(folder), weight)))

/** A font and its characters, with the widths of its widest weight. */
export interface Font {
  family: string
  characters: FontMetrics
}

/** The first font that has a letter prints it. */
export type Fonts = readonly [Font, ...Font[]]

const readFont = ({ family, folder, file }: (typeof FONTS)[number]): Font => ({
  family,
  characters: readFontMetrics(readFileSync(join(pathOf(folder), WIDEST, `${file}_${WIDEST}.ttf`))),
})

export function readFonts(): Fonts {
  const [first, ...others] = FONTS
  return [readFont(first), ...others.map(readFont)]
}
