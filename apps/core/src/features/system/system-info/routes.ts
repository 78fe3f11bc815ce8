import { One, SystemInfo } from '@tendon/contracts'
import { publicAccess } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { version } from '../../../platform/version.ts'

export const systemInfoRoutes: Routes = (app, { config }) => {
  app.get(
    '/v1/public/system-info',
    {
      config: {
        access: publicAccess(),
        summary: 'Get system information',
        description: 'Returns the manufacturer and the device labelling data.',
      },
      schema: { response: { 200: One(SystemInfo) } },
    },
    async () => ({
      data: {
        product: 'Tendon',
        version,
        manufacturer: { name: config.MANUFACTURER_NAME, address: config.MANUFACTURER_ADDRESS },
        device: {
          udi: config.DEVICE_UDI,
          intended_purpose: 'Supports guided exercise at home and its supervision by a clinic.',
        },
      },
    }),
  )
}
