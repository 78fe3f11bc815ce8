import sharp from 'sharp'

// Uploaded images are decoded and encoded again: what is stored holds pixels and nothing else, no place where a photo was
// taken, no second file behind the first.

// Of the decoders only these: each one more would be reachable by a file that only looks like an image.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'],
})
sharp.cache(false)
sharp.concurrency(1)

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp']
const MAX_PIXELS = 25_000_000
const DECODE_SECONDS = 10
const JPEG_QUALITY = 85

export interface ImageSize {
  /** The longest side; a larger image is made smaller. */
  maxSide: number
  /** Cut to a square. */
  square?: boolean
}

export interface EncodedImage {
  bytes: Buffer
  mime: 'image/png' | 'image/jpeg'
  extension: 'png' | 'jpg'
  width: number
  height: number
}

/** A photo stays JPEG, everything else becomes PNG. Undefined: the file is not an image that can be decoded. */
export async function encodeImage(
  file: Buffer,
  { maxSide, square = false }: ImageSize,
): Promise<EncodedImage | undefined> {
  try {
    const image = sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'error', animated: false })
    const { format } = await image.metadata()
    const sized = image
      .autoOrient()
      .resize({ width: maxSide, height: maxSide, fit: square ? 'cover' : 'inside', withoutEnlargement: !square })
      .toColourspace('srgb')
      .timeout({ seconds: DECODE_SECONDS })
    const isPhoto = format === 'jpeg'
    const encoded = isPhoto ? sized.jpeg({ quality: JPEG_QUALITY }) : sized.png()
    const { data, info } = await encoded.toBuffer({ resolveWithObject: true })
    return {
      bytes: data,
      mime: isPhoto ? 'image/jpeg' : 'image/png',
      extension: isPhoto ? 'jpg' : 'png',
      width: info.width,
      height: info.height,
    }
  } catch {
    return undefined
  }
}
