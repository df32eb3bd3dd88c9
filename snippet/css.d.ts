/** A stylesheet, minified by the bundler and inlined as text. */
declare module '*.css' {
  const text: string
  export default text
}
