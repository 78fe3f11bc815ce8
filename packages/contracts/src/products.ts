import { type Static, Type } from 'typebox'
import { Currency, PriceCents } from './services.ts'
import { Body, Enum, Id, Name, Nullable, RowVersion, Text, Timestamp } from './shapes.ts'

const Sku = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
  examples: ['BAND-RED-2M'],
})
const ProductName = Name(200, 'Resistance band, red')
const Description = Text(4000, 'Two metres, medium resistance.')
const VatRate = Type.Number({ minimum: 0, maximum: 100, multipleOf: 0.01, description: 'Per cent', examples: [19] })
const Status = Enum(['active', 'archived'] as const)

export const Product = Type.Object({
  id: Id,
  organization_id: Id,
  sku: Sku,
  name: ProductName,
  description: Nullable(Description),
  price_cents: PriceCents,
  currency: Currency,
  vat_rate: Nullable(VatRate),
  status: Status,
  created_at: Timestamp,
  updated_at: Timestamp,
  version: RowVersion,
  deleted_at: Nullable(Timestamp),
})
export type Product = Static<typeof Product>

const settings = {
  description: Type.Optional(Nullable(Description)),
  currency: Type.Optional(Currency),
  vat_rate: Type.Optional(Nullable(VatRate)),
  status: Type.Optional(Status),
}

export const NewProduct = Body({ sku: Sku, name: ProductName, price_cents: PriceCents, ...settings })
export type NewProduct = Static<typeof NewProduct>

export const ProductChanges = Type.Object(
  {
    sku: Type.Optional(Sku),
    name: Type.Optional(ProductName),
    price_cents: Type.Optional(PriceCents),
    ...settings,
    version: Type.Optional(RowVersion),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type ProductChanges = Static<typeof ProductChanges>

export const productList = {
  sort: ['name', 'sku', 'price_cents', 'created_at', 'updated_at'],
  ranges: ['created_at', 'updated_at'],
  filters: { deleted: 'boolean', status: ['active', 'archived'] },
  q: true,
} as const
