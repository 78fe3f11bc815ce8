import { type Static, Type } from 'typebox'
import { Body, Enum, Id, Name, Nullable, Paragraphs, RowVersion, Timestamp } from './shapes.ts'

export const INSTRUCTION_TYPES = ['preparation', 'step', 'form_cue', 'safety'] as const

const InstructionId = Type.Integer({ minimum: 1, maximum: 2_147_483_647, examples: [1] })
const SortOrder = Type.Integer({ minimum: 0, maximum: 1_000_000, examples: [1] })
const Title = Name(200, 'Stand tall')
const Content = Paragraphs(5_000, 'Stand with your feet as far apart as your hips.')
const InstructionType = Enum(INSTRUCTION_TYPES, 'step')

const Words = { title: Type.Optional(Title), content: Type.Optional(Content) }
const TRANSLATED = { ro: { title: 'Stați drept', content: 'Stați cu picioarele depărtate la lățimea șoldurilor.' } }
const NewTranslations = Type.Object(
  { en: Type.Optional(Body(Words)), ro: Type.Optional(Body(Words)) },
  { additionalProperties: false, description: 'Replaces the previous list.', examples: [TRANSLATED] },
)

const ImageUrl = Type.String({
  description: 'Signed URL, valid for six hours; read the instruction again for a new one.',
  examples: ['https://api.tendon.example/v1/public/objects/instruction-images/…png?expires=…&signature=…'],
})

export const Instruction = Type.Object({
  id: InstructionId,
  sort_order: SortOrder,
  title: Nullable(Title),
  content: Content,
  image_url: Nullable(ImageUrl),
  instruction_type: InstructionType,
  translations: Type.Record(Type.String(), Type.Object(Words), {
    description: 'Language code → title and content in that language.',
    examples: [TRANSLATED],
  }),
  created_at: Timestamp,
  version: RowVersion,
})
export type Instruction = Static<typeof Instruction>

export const Instructions = Type.Object({ instructions: Type.Array(Instruction) })

export const NewInstruction = Body({
  sort_order: SortOrder,
  title: Type.Optional(Nullable(Title)),
  content: Content,
  instruction_type: InstructionType,
  translations: Type.Optional(NewTranslations),
})
export type NewInstruction = Static<typeof NewInstruction>

export const InstructionChanges = Type.Object(
  {
    sort_order: Type.Optional(SortOrder),
    title: Type.Optional(Nullable(Title)),
    content: Type.Optional(Content),
    instruction_type: Type.Optional(InstructionType),
    translations: Type.Optional(NewTranslations),
    version: Type.Optional(RowVersion),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type InstructionChanges = Static<typeof InstructionChanges>

export const InstructionImage = Type.Object({ image_url: ImageUrl })

export const InstructionOrder = Body({
  instruction_ids: Type.Array(InstructionId, { examples: [[2, 1, 3]] }),
})

export const ByInstruction = Type.Object({ id: Id, instructionId: InstructionId })
