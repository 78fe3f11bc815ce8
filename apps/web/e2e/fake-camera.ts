import type { Page } from 'playwright-core'

// A drawn picture instead of the device's camera: the test decides when it is ready, stands still or is muted.

interface Device {
  /** The person has not allowed the camera yet, or it is still starting. */
  isHeld: boolean
  /** The last picture stays; the track does not end. */
  isFrozen: boolean
  /** As when another program takes the camera. */
  isMuted: boolean
}

declare global {
  interface Window {
    device: Device
  }
}

/** Call it before the page is opened. */
export async function replaceCamera(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const device: Device = { isHeld: false, isFrozen: false, isMuted: false }
    Object.assign(globalThis, { device })
    const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 48 })
    const context = canvas.getContext('2d')
    const draw = () => {
      if (!context || device.isFrozen || device.isMuted) return
      context.fillStyle = `hsl(${Math.round(performance.now() / 10) % 360} 60% 50%)`
      context.fillRect(0, 0, canvas.width, canvas.height)
    }
    setInterval(draw, 40)
    navigator.mediaDevices.getUserMedia = async () => {
      while (device.isHeld) await new Promise((done) => setTimeout(done, 20))
      draw()
      const stream = canvas.captureStream()
      for (const track of stream.getTracks()) Object.defineProperty(track, 'muted', { get: () => device.isMuted })
      return stream
    }
  })
}

export async function setCamera(page: Page, changed: Partial<Device>): Promise<void> {
  await page.evaluate((given) => {
    Object.assign(window.device, given)
  }, changed)
}

/** Whether the skeleton is drawn over the picture. */
export async function skeletonIsDrawn(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('video + canvas')
    const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data
    return pixels?.some((value) => value > 0) ?? false
  })
}
