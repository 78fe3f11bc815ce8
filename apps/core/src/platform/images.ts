// Uploaded images are decoded and encoded again, so that the stored file contains only pixels: no location of a photo and
// no second file appended to the first.

/** Loaded with the first image. */
async function openSharp() {
  const { default: sharp } = await import('sharp')
  // Only these decoders are enabled: every other one could be attacked with a crafted file.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'],
  })
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}
let opened: ReturnType<typeof openSharp> | undefined

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp']
const MAX_PIXELS = 25_000_000
const DECODE_SECONDS = 10
const JPEG_QUALITY = 85

export interface ImageSize {
  /** The longest side in pixels; a larger image is scaled down. */
  maxSide: number
  /** Crops the image to a square. */
  square?: boolean
}

export interface EncodedImage {
  bytes: Buffer
  mime: 'image/png' | 'image/jpeg'
  extension: 'png' | 'jpg'
  width: number
  height: number
}

/** JPEG stays JPEG, everything else becomes PNG. Undefined when the file cannot be decoded. */
export async function encodeImage(
  file: Buffer,
  { maxSide, square = false }: ImageSize,
): Promise<EncodedImage | undefined> {
  opened ??= openSharp().catch((error: unknown) => {
    opened = undefined
    throw error
  })
  const sharp = await opened
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
