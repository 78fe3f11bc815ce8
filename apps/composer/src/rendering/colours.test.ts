import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, createReadStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { FFMPEG, NO_FFMPEG } from '@tendon/testing'
import { createFfmpeg } from '@tendon/video-host'
import { openCache } from './cache.ts'
import { BadClip, normaliseClip } from './clips.ts'

const [STRIPE, HEIGHT] = [32, 48]
/** Skin, grass, a dark blue shirt, grey: darker than what the mapping compresses. And diffuse white. */
const STRIPES = [0x96_69_4f, 0x20_80_40, 0x20_30_90, 0x77_77_77, 0xff_ff_ff]
const TOLERANCE = 7
const WIDTH = STRIPE * STRIPES.length

const channels = (colour: number) => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff]

describe('the colours of a clip', { skip: NO_FFMPEG }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tendon-test-colours-'))
  after(() => rmSync(folder, { recursive: true }))

  const ffmpeg = (...words: string[]): Buffer => {
    const run = spawnSync(FFMPEG, ['-nostdin', '-v', 'error', '-y', ...words], { timeout: 60_000 })
    assert.equal(run.status, 0, run.stderr.toString())
    return run.stdout
  }
  /** Stripes of known colours, filmed with this transfer. */
  function film(name: string, transfer: string): string {
    const to = join(folder, name)
    const sources = STRIPES.map((colour, n) => {
      const hex = colour.toString(16).padStart(6, '0')
      return `color=c=0x${hex}:s=${STRIPE}x${HEIGHT}:d=0.5:r=10,format=gbrp[s${n}]`
    })
    const stripes = `${sources.join(';')};${STRIPES.map((_, n) => `[s${n}]`).join('')}hstack=inputs=${STRIPES.length}`
    const scene = 'setparams=colorspace=gbr:color_primaries=bt709:color_trc=bt709:range=pc'
    const light = `${scene},zscale=t=linear:npl=203,format=gbrpf32le`
    const [primaries, matrix] = transfer === 'bt709' ? ['bt709', 'bt709'] : ['bt2020', 'bt2020nc']
    const filmed = `zscale=p=${primaries}:t=${transfer}:m=${matrix}:r=limited:npl=203,format=yuv420p10le`
    const tags = `-color_primaries ${primaries} -color_trc ${transfer} -colorspace ${matrix} -color_range tv`
    const encoder = `-c:v libx264 -preset ultrafast -crf 4 -threads 1 ${tags}`.split(' ')
    ffmpeg('-f', 'lavfi', '-i', `${stripes},${light},${filmed}`, ...encoder, to)
    return to
  }
  const toolsOf = async (program = FFMPEG) => ({
    ffmpeg: createFfmpeg(program),
    cache: await openCache(join(folder, 'cache')),
    read: async ({ key }: { key: string }) => createReadStream(key),
    signal: new AbortController().signal,
  })
  const normalised = async (from: string, program?: string) => {
    const name = 'intro-video-1.mp4'
    const rung = { width: WIDTH, height: HEIGHT, kilobits: 2_500 }
    const tools = await toolsOf(program)
    const { paths } = await normaliseClip({ name, sha256: from, owner: 'platform', key: from }, [rung], tools)
    return paths[0] ?? ''
  }
  /** The colour in the middle of each stripe, as a player shows it. */
  function shown(path: string): number[][] {
    const rgb = 'scale=in_color_matrix=bt709:in_range=tv:out_range=pc,format=rgb24'
    const picture = ffmpeg('-i', path, '-frames:v', '1', '-vf', rgb, '-f', 'rawvideo', '-')
    return STRIPES.map((_, n) => {
      const at = 3 * ((HEIGHT / 2) * WIDTH + n * STRIPE + STRIPE / 2)
      return [...picture.subarray(at, at + 3)]
    })
  }
  const differs = (seen: readonly number[], colour: number) =>
    Math.max(...channels(colour).map((value, n) => Math.abs(value - (seen[n] ?? 0))))

  for (const [name, transfer] of [
    ['PQ', 'smpte2084'],
    ['HLG', 'arib-std-b67'],
    ['SDR', 'bt709'],
  ] as const) {
    test(`filmed in ${name} are those of the scene, in BT.709`, async () => {
      const path = await normalised(film(`${transfer}.mp4`, transfer))
      const colours = shown(path)
      for (const [n, colour] of STRIPES.slice(0, -1).entries())
        assert.ok(
          differs(colours[n] ?? [], colour) <= TOLERANCE,
          `${colour.toString(16)} is shown as ${colours[n]?.join()}`,
        )
      const white = colours.at(-1) ?? []
      assert.ok(
        Math.min(...white) >= 200 && Math.max(...white) - Math.min(...white) <= TOLERANCE,
        `white is ${white.join()}`,
      )
      const { stderr } = spawnSync(FFMPEG, ['-hide_banner', '-i', path], { encoding: 'utf8' })
      assert.match(stderr, /yuv420p\(tv, bt709/)
    })
  }

  test('the colours of a clip of an HDR clip cannot be mapped where ffmpeg lacks a filter: the clip is refused with the reason, SDR still works', async () => {
    const tools = join(folder, 'old')
    mkdirSync(tools)
    const old = join(tools, 'ffmpeg')
    const body = `args=()\nfor word in "$@"; do args+=("\${word//zscale/unknownscale}"); done\nexec ${FFMPEG} "\${args[@]}"`
    writeFileSync(old, `#!/bin/bash\n${body}\n`)
    chmodSync(old, 0o755)
    for (const [name, transfer] of [
      ['PQ', 'smpte2084'],
      ['HLG', 'arib-std-b67'],
    ] as const)
      await assert.rejects(normalised(film(`old-${transfer}.mp4`, transfer), old), (error) => {
        assert.ok(error instanceof BadClip)
        assert.match(error.message, /^intro-video-1\.mp4 cannot be used: it is HDR video/)
        assert.match(error.message, new RegExp(`\\(${name}\\).*lacks the filter unknownscale\\. Send it as SDR`))
        return true
      })
    await normalised(film('old-sdr.mp4', 'bt709'), old)
  })
})
