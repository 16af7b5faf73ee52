// A request: form text, whose values are bytes.

/** Pairs of key and value, the value in bytes. */
export class Request {
  #pairs

  constructor(bytes) {
    const parts = bytes.toString('latin1').split('&').filter((pair) => pair !== '')
    this.#pairs = parts.map((pair) => {
      const [, key, value = ''] = /^([^=]*)=?(.*)$/s.exec(pair)
      return [decode(key).toString(), decode(value)]
    })
  }

  all(key) {
    return this.#pairs.filter(([name]) => name === key).map(([, value]) => value)
  }

  /** A text, or for `.wrong` the number that it spells. */
  text(key) {
    const [wrong] = this.all(`${key}.wrong`)
    return wrong === undefined ? this.all(key)[0]?.toString() : Number(wrong.toString())
  }

  /** All texts under this key; `undefined` if there are none. */
  texts(key) {
    const [wrong] = this.all(`${key}.wrong`)
    if (wrong !== undefined) return [Number(wrong.toString())]
    const all = this.all(key).map(String)
    return all.length === 0 ? undefined : all
  }

  /** A number, or for `.wrong` the text that spells it. */
  number(key) {
    const [wrong] = this.all(`${key}.wrong`)
    const text = this.all(key)[0]?.toString()
    if (wrong !== undefined) return wrong.toString()
    return text && Number(text.replace(/^(-?)inf(inity)?$/i, '$1Infinity'))
  }

  /** The requests in the values of this key. */
  parts(key) {
    return this.all(key).map((bytes) => new Request(bytes))
  }
}

/** Percent-decoded bytes, which need not be UTF-8. */
function decode(text) {
  const unescape = (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))
  return Buffer.from(text.replaceAll('+', ' ').replace(/%([0-9a-f]{2})/gi, unescape), 'latin1')
}
