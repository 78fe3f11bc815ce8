// One rendering process. The compiler is native code that no timer can interrupt, so it runs where it can be killed.
import { constants, setPriority } from 'node:os'
import { createCompiler } from './compile.ts'
import type { PdfDocument } from './document.ts'
import { readFonts } from './fonts.ts'
import { createRenderInput } from './input.ts'
import { createUnprintableSearch } from './printable.ts'

// A document may take a moment longer; requests beside it may not.
setPriority(constants.priority.PRIORITY_LOW)
const compile = createCompiler(process.cwd())
const fonts = readFonts()
const findUnprintable = createUnprintableSearch(fonts)
const renderInput = createRenderInput(fonts)

process.on('message', (document: PdfDocument) => {
  try {
    const unprintable = findUnprintable(document)
    process.send?.(unprintable ? { unprintable } : compile(renderInput(document)))
  } catch {
    // The compiler's message may quote what the document says about a patient.
    process.send?.({ error: 'render_failed' })
  }
})
process.on('disconnect', () => process.exit(0))
