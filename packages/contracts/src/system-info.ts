import { Type } from 'typebox'

export const SystemInfo = Type.Object({
  product: Type.String({ examples: ['Tendon'] }),
  version: Type.String({ examples: ['0.1.0'] }),
  manufacturer: Type.Object({
    name: Type.String({ examples: ['Tendon'] }),
    address: Type.String({ examples: ['1 Example Street'] }),
  }),
  device: Type.Object({
    udi: Type.String({
      description: 'Unique device identifier; empty until assigned',
      examples: ['(01)00000000000000(10)0.1.0'],
    }),
    intended_purpose: Type.String({ examples: ['Supports guided exercise at home.'] }),
  }),
})
