'use strict'

// Finds the addon: the one built in this folder, else the package of this platform.

const { platform, arch } = process

function triple() {
  if (platform === 'linux') {
    const { glibcVersionRuntime } = process.report.getReport().header
    return `linux-${arch}-${glibcVersionRuntime ? 'gnu' : 'musl'}`
  }
  return platform === 'win32' ? `win32-${arch}-msvc` : `${platform}-${arch}`
}

function load() {
  const reasons = []
  for (const place of [`../delayq.${triple()}.node`, `delayq-${triple()}`]) {
    try {
      return require(place)
    } catch (error) {
      reasons.push(`${place}: ${error.message.split('\n')[0]}`)
    }
  }
  throw new Error(`delayq has no addon for ${triple()}; build it with "npm run build" (${reasons.join('; ')})`)
}

module.exports = load()
