import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'

// Media files that attack the program that reads them.

/** A box of an MP4; `bytes`: a false length. */
export function mp4Box(type: string, content: Buffer, bytes = content.length + 8): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(bytes, 0)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, content])
}

const FILE_TYPE = mp4Box('ftyp', Buffer.from('isom\0\0\0\0isom', 'latin1'))

/** An MP4 with this many empty video tracks. */
function manyStreams(count: number): Buffer {
  const media = Buffer.alloc(24)
  media.writeUInt32BE(1_000, 12)
  const handler = Buffer.alloc(25)
  handler.write('vide', 8, 'latin1')
  const track = mp4Box('trak', mp4Box('mdia', Buffer.concat([mp4Box('mdhd', media), mp4Box('hdlr', handler)])))
  const tracks = Buffer.alloc(track.length * count, track)
  return Buffer.concat([FILE_TYPE, mp4Box('moov', tracks)])
}

/** A compressed index of two gigabytes of zeros. */
function compressedIndex(): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(2_000_000_000)
  const zeros = deflateSync(Buffer.alloc(50_000_000))
  const index = Buffer.concat([mp4Box('dcom', Buffer.from('zlib')), mp4Box('cmvd', Buffer.concat([length, zeros]))])
  return Buffer.concat([FILE_TYPE, mp4Box('moov', mp4Box('cmov', index))])
}

/** A table of four billion samples. */
function endlessTable(good: Buffer): Buffer {
  const bytes = Buffer.from(good)
  bytes.writeUInt32BE(0xffffffff, bytes.indexOf('stsz') + 12)
  return bytes
}

/** The same number of samples in a table without entries. */
function endlessCompactTable(good: Buffer): Buffer {
  const bytes = Buffer.from(good)
  const table = bytes.indexOf('stsz')
  bytes.write('stz2', table, 'latin1')
  bytes.writeUInt32BE(0, table + 8)
  bytes.writeUInt32BE(0xffffffff, table + 12)
  return bytes
}

/** Uncompressed pictures whose header says 65,535 by 65,535 pixels. */
function enormousHeader(): Buffer {
  const bytes = made('mov', 'color=gray:size=64x64:rate=2:duration=1', '-c:v rawvideo -pix_fmt rgb24')
  const entry = bytes.indexOf('raw ', bytes.indexOf('stsd'))
  bytes.writeUInt16BE(65_535, entry + 28)
  bytes.writeUInt16BE(65_535, entry + 30)
  const header = bytes.indexOf('tkhd')
  bytes.writeUInt16BE(65_535, header + 80)
  bytes.writeUInt16BE(65_535, header + 84)
  return bytes
}

function made(extension: string, picture: string, more: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'tendon-test-media-'))
  try {
    const to = join(folder, `x.${extension}`)
    const done = spawnSync('ffmpeg', [...`-v error -f lavfi -i ${picture} ${more} -threads 1`.split(' '), to])
    assert.equal(done.status, 0, done.stderr.toString())
    return readFileSync(to)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

let harmless: Buffer | undefined
let hostile: Record<string, Buffer> | undefined

/** One second of 64 by 64 pixels. All of these need ffmpeg. */
export const harmlessVideo = (): Buffer =>
  (harmless ??= made('mp4', 'testsrc=size=64x64:duration=1', '-c:v libx264 -preset ultrafast -pix_fmt yuv420p'))

/** Playlists and scripts that refer to a URL and to a local file. */
export const hostileScripts = (url: string, file: string): Record<string, Buffer> =>
  Object.fromEntries(
    Object.entries({
      'a playlist with a URL': `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${url}\n#EXT-X-ENDLIST\n`,
      'a playlist with a file': `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${file}\n#EXT-X-ENDLIST\n`,
      'a concat script': `ffconcat version 1.0\nfile ${file}\nfile ${url}\n`,
      'a session description': `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\n`,
    }).map(([name, text]) => [name, Buffer.from(text)]),
  )

/** Every reader must refuse each of these files quickly and with little memory. */
export const hostileVideos = (): Record<string, Buffer> => (hostile ??= makeHostile(harmlessVideo()))

function makeHostile(good: Buffer): Record<string, Buffer> {
  return {
    'cut off': good.subarray(0, good.length / 2),
    empty: Buffer.alloc(0),
    'no video at all': Buffer.from('<script>alert(1)</script>'.repeat(100)),
    'a header of 65,535 × 65,535 pixels': enormousHeader(),
    '8,192 × 8,192 pixels': made(
      'mp4',
      'color=gray:size=8192x8192:rate=1:duration=1',
      '-c:v libx264 -preset ultrafast',
    ),
    'a table of four thousand million samples': endlessTable(good),
    'four thousand million samples without room': endlessCompactTable(good),
    '100,000 streams': manyStreams(100_000),
    '1,000,000 streams': manyStreams(1_000_000),
    'a box that claims more than the file has': mp4Box('moov', Buffer.alloc(8), 0x7fffffff),
    'a compressed index of two gigabytes': compressedIndex(),
  }
}
