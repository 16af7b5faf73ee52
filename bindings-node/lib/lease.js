'use strict'

// Jobs to finish, as the addon takes them.

const { types } = require('node:util')

const { check, object, options } = require('./check.js')
const { FAILURE } = require('./options.js')

/** What proves the right to a job: a `Job`, or its topic, id and receipt in any object. */
function lease(job) {
  object('job', job)
  return ['topic', 'id', 'receipt'].map((name) => check.text(`job.${name}`, job[name]))
}

function failure(job, { error, delay }) {
  return [lease(job), error === undefined ? undefined : errorText(error), delay]
}

/** An item of `retryMany`: a job, or a job with what there is to say about it. */
function failureOf(item) {
  object('the item', item)
  return 'job' in item ? failure(item.job, options(FAILURE, item)) : failure(item, {})
}

function idOf(item) {
  return item?.job?.id ?? item?.id
}

/** Whatever was thrown, as a text: a report of a failure must not fail because of its form. */
function errorText(error) {
  let text
  try {
    const thrown = types.isNativeError(error) || error instanceof Error
    text = String((thrown && error.message) || error)
  } catch {
    text = 'what was thrown has no text'
  }
  return text.toWellFormed()
}

module.exports = { errorText, failure, failureOf, idOf, lease }
