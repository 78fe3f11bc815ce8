import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mayKeepFeed } from './rules.ts'

describe('who may keep the feed of a specialist', () => {
  const desk = { principal_id: 'desk', managesSpecialists: false }

  test('the specialist may keep their own feed', () => {
    assert.equal(mayKeepFeed({ human_id: 'desk' }, desk), true)
  })

  test('a member who manages specialists may keep every feed', () => {
    assert.equal(mayKeepFeed({ human_id: 'ana' }, { ...desk, managesSpecialists: true }), true)
    assert.equal(mayKeepFeed({ human_id: null }, { ...desk, managesSpecialists: true }), true)
  })

  test('nobody else may keep a feed, nor that of a specialist without an account', () => {
    assert.equal(mayKeepFeed({ human_id: 'ana' }, desk), false)
    assert.equal(mayKeepFeed({ human_id: null }, desk), false)
  })
})
