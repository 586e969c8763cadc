import vue from 'eslint-plugin-vue'
import typescript from '@typescript-eslint/parser'

// oxlint reads the scripts; eslint is here for the templates.
export default [
  { ignores: ['dist/**', 'wailsjs/**'] },
  ...vue.configs['flat/recommended'],
  {
    files: ['**/*.ts'],
    languageOptions: { parser: typescript },
  },
  {
    files: ['**/*.vue'],
    languageOptions: { parserOptions: { parser: typescript } },
    rules: {
      'vue/no-v-html': 'error',
      'vue/require-default-prop': 'off',
      'vue/multi-word-component-names': 'off',
      'vue/component-api-style': ['error', ['script-setup']],
      'vue/no-static-inline-styles': 'error',
      'vue/no-unused-refs': 'error',
      'vue/no-undef-components': 'error',
      'vue/no-template-target-blank': 'error',
      // prettier decides about the form.
      'vue/max-attributes-per-line': 'off',
      'vue/singleline-html-element-content-newline': 'off',
      'vue/multiline-html-element-content-newline': 'off',
      'vue/html-self-closing': 'off',
      'vue/html-indent': 'off',
      'vue/html-closing-bracket-newline': 'off',
      'vue/first-attribute-linebreak': 'off',
    },
  },
  {
    // The one place that shows HTML, after the sanitiser (SPEC SEC-04).
    files: ['src/components/markdown/MarkdownBlock.vue'],
    rules: { 'vue/no-v-html': 'off' },
  },
]
