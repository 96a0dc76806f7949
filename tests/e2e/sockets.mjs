// Asks a daemon over plain sockets.
import { connect } from 'node:net'

// Sends bytes to a port and resolves to all that comes back until the end of it.
export function exchange(port, bytes) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    const parts = []
    socket.on('data', (part) => parts.push(part))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(parts).toString('latin1')))
  })
}

// One request with exactly these headers.
export async function ask(port, method, path, { headers = { Host: '127.0.0.1' }, body = '' } = {}) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const text = await exchange(port, `${method} ${path} HTTP/1.1\r\n${lines}\r\n${body}`)
  const [head, ...rest] = text.split('\r\n\r\n')
  const [status, ...fields] = head.split('\r\n')
  return {
    status: Number(status.split(' ')[1]),
    headers: Object.fromEntries(fields.map((field) => [field.slice(0, field.indexOf(':')).toLowerCase(), field.slice(field.indexOf(':') + 2)])),
    text: rest.join('\r\n\r\n'),
  }
}

export const handshake = {
  Host: '127.0.0.1',
  Upgrade: 'websocket',
  Connection: 'Upgrade',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version': '13',
}
