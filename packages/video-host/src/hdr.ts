import { FfmpegFailed } from './ffmpeg.ts'

// Phones film in HLG, some cameras in PQ. Shown as if they were SDR, both look grey and pale: they are mapped to BT.709.

export interface Hdr {
  transfer: 'smpte2084' | 'arib-std-b67'
  /** False: the file does not say it, and BT.2020 is meant. */
  hasMatrix: boolean
  hasPrimaries: boolean
}

const NAMES: Readonly<Record<Hdr['transfer'], string>> = { smpte2084: 'PQ', 'arib-std-b67': 'HLG' }

/** Diffuse white of HDR (ITU-R BT.2408), which becomes the reference of the mapping. */
const WHITE_NITS = 203
/** What is brighter is cut off. */
const PEAK_NITS = 1_000

const FIRST_PICTURE = '-v info -map 0:v:0 -an -sn -dn -map_metadata -1 -frames:v 1 -vf showinfo -f null -'.split(' ')
const valueOf = (name: string, output: string): string | undefined =>
  new RegExp(`.*\\b${name}:\\s*(\\S+)`, 's').exec(output)?.[1]

/** How the first picture is encoded; undefined for SDR. `run` runs ffmpeg on the file with these arguments. */
export async function readHdr(run: (args: readonly string[]) => Promise<string>): Promise<Hdr | undefined> {
  const output = await run(FIRST_PICTURE)
  const transfer = valueOf('color_trc', output)
  if (transfer !== 'smpte2084' && transfer !== 'arib-std-b67') return undefined
  const has = (name: string) => !['unknown', 'unspecified', undefined].includes(valueOf(name, output))
  return { transfer, hasMatrix: has('color_space'), hasPrimaries: has('color_primaries') }
}

/**
 * The filter from HDR to SDR. Mobius keeps everything up to 30 % of diffuse white as it is, skin included, and compresses what is
 * brighter; Hable, the usual example, makes all of it darker.
 */
export function toneMapping({ transfer, hasMatrix, hasPrimaries }: Hdr): string {
  const guessed = `${hasMatrix ? '' : ':matrixin=bt2020nc'}${hasPrimaries ? '' : ':primariesin=bt2020'}`
  return (
    `zscale=transferin=${transfer}${guessed}:transfer=linear:npl=${WHITE_NITS},format=gbrpf32le,zscale=primaries=bt709,` +
    `tonemap=mobius:param=0.3:peak=${(PEAK_NITS / WHITE_NITS).toFixed(3)},` +
    'zscale=transfer=bt709:matrix=bt709:range=limited'
  )
}

/** `message` finishes "The video cannot be used: …". */
export class ToneMappingMissing extends Error {
  override name = 'ToneMappingMissing'
}

const MISSING = /No such filter: '(\w+)'/

/** Throws `ToneMappingMissing` where ffmpeg was built without the filters: pale colours are not shown instead. */
export async function explainToneMapping<Result>(hdr: Hdr | undefined, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const filter = error instanceof FfmpegFailed && MISSING.exec(error.message)?.[1]
    if (!hdr || !filter) throw error
    throw new ToneMappingMissing(
      `it is HDR video (${NAMES[hdr.transfer]}), and the ffmpeg of the server cannot convert HDR, because it lacks the filter ${filter}. Send it as SDR (BT.709), or install an ffmpeg with zscale and tonemap`,
      { cause: error },
    )
  }
}
