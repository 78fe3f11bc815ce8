import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type FontMetrics, readFontMetrics } from './font-metrics.ts'

// The first font that has a character prints it. All weights of a font have the same characters.
const FONTS = [
  { folder: 'inter', file: 'Inter' },
  { folder: 'noto-sans-arabic', file: 'NotoSansArabic' },
  { folder: 'noto-sans-hebrew', file: 'NotoSansHebrew' },
]
const WIDEST = '700Bold'
const WEIGHTS = ['400Regular', '600SemiBold', WIDEST]

const pathOf = (folder: string) =>
  dirname(fileURLToPath(import.meta.resolve(`@expo-google-fonts/${folder}/package.json`)))

/** The folders that the compiler reads fonts from. */
export const listFontFolders = (): string[] =>
  FONTS.flatMap(({ folder }) => WEIGHTS.map((weight) => join(pathOf(folder), weight)))

/** The characters of each font, with the widths of its widest weight. */
export const readFonts = (): FontMetrics[] =>
  FONTS.map(({ folder, file }) => readFontMetrics(readFileSync(join(pathOf(folder), WIDEST, `${file}_${WIDEST}.ttf`))))
