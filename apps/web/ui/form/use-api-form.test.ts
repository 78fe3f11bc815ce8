import '../components.testing.ts'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MantineProvider, TextInput } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { ApiError } from '@tendon/sdk'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { uiEn } from '../messages/en.ts'

const { I18n } = await import('../i18n/i18n.tsx')
const { FormConflict, rowsOf } = await import('./form-conflict.tsx')
const { useApiForm } = await import('./use-api-form.ts')

describe('a form of a route', () => {
  test('a form shows the values of its fields under their names', () => {
    const html = shown(null)
    assert.match(html, /name="name"[^>]*value="Ana"|value="Ana"[^>]*name="name"/)
    assert.doesNotMatch(html, /aria-invalid/)
  })

  test('a form shows what the API refused at its field, in the language of the person', () => {
    const body = {
      error: { code: 'invalid', fields: { name: 'x' }, reasons: { name: { code: 'too_long', params: { max: 200 } } } },
    }
    const html = shown(new ApiError(422, body))
    assert.match(html, /At most 200 characters\./)
    assert.match(html, /aria-invalid="true"/)
  })

  test('a form shows both versions after a conflict, and only fields that differ', () => {
    const current = { name: 'Their name', description: '' }
    const body = { error: { code: 'stale_version', current, current_version: 7 } }
    const html = shown(new ApiError(409, body))
    assert.match(html, /Their name/)
    assert.match(html, /Keep mine/)
    assert.doesNotMatch(html, /<th[^>]*>The description/)
  })
})

function Form({ error }: { error: ApiError | null }) {
  const write = {
    route: 'PATCH /v1/services/{id}' as const,
    data: undefined,
    error,
    isPending: false,
    isSuccess: false,
    reset: () => {},
  }
  const form = useApiForm(
    write,
    { name: 'Ana', description: '' },
    { version: 1, valuesOf: ({ name, description }) => ({ name: name ?? '', description: description ?? '' }) },
  )
  return createElement(
    'form',
    null,
    createElement(TextInput, { ...form.text('name'), label: 'The name' }),
    createElement(FormConflict, { form, rows: rowsOf({ name: 'The name', description: 'The description' }) }),
  )
}

/** The form as HTML, with everything around it that an app has. */
function shown(error: ApiError | null): string {
  const router = createRouter({ routeTree: createRootRoute() })
  const load = () => Promise.resolve({ ui: uiEn })
  const texts = {
    start: { language: 'en' as const, messages: { ui: uiEn } },
    load,
    children: createElement(Form, { error }),
  }
  const routed = { router, children: createElement(I18n, texts) }
  const styled = createElement(MantineProvider, null, createElement(RouterContextProvider, routed))
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: new QueryClient() }, styled))
}
