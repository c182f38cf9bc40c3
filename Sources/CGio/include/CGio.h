// The part of GIO and GLib that the module GSettingsStore calls, as GLib 2.50 and later declare it.
//
// GLib's own headers need compiler flags that only pkg-config knows. The package manager refuses one of them (-pthread),
// with a warning in every build. A test compiles this header together with GLib's, so a difference is an error there.
#ifndef CGIO_H
#define CGIO_H

#include <stddef.h>
#include <stdint.h>

typedef char gchar;
typedef int gint;
typedef gint gboolean;
typedef void *gpointer;

typedef struct _GVariant GVariant;
typedef struct _GVariantType GVariantType;
typedef struct _GMainContext GMainContext;
typedef struct _GMainLoop GMainLoop;
typedef struct _GSettings GSettings;
typedef struct _GSettingsBackend GSettingsBackend;
typedef struct _GSettingsSchema GSettingsSchema;
typedef struct _GSettingsSchemaKey GSettingsSchemaKey;
typedef struct _GSettingsSchemaSource GSettingsSchemaSource;
typedef struct _GError GError;
struct _GClosure;
struct _GTypeInstance;

// Only what a part of these calls returns.
#ifndef __G_ERROR_H__
struct _GError {
    uint32_t domain;
    gint code;
    gchar *message;
};
#endif

#ifndef __G_MESSAGES_H__
typedef unsigned int (*GLogWriterFunc)(unsigned int level, const void *fields, size_t count, gpointer data);
#endif

void g_log_set_writer_func(GLogWriterFunc writer, gpointer data, void (*destroy)(gpointer));
void g_free(gpointer memory);
void g_strfreev(gchar **strings);
void g_error_free(GError *error);

// The main loop, on a thread of its own.
GMainContext *g_main_context_new(void);
void g_main_context_push_thread_default(GMainContext *context);
void g_main_context_invoke(GMainContext *context, gboolean (*function)(gpointer), gpointer data);
GMainLoop *g_main_loop_new(GMainContext *context, gboolean is_running);
void g_main_loop_run(GMainLoop *loop);

// Values.
GVariant *g_variant_parse(
    const GVariantType *type, const gchar *text, const gchar *limit, const gchar **end, GError **error);
gchar *g_variant_print(GVariant *value, gboolean type_annotate);
GVariant *g_variant_take_ref(GVariant *value);
void g_variant_unref(GVariant *value);
gboolean g_variant_equal(const void *one, const void *two);
const gchar *g_variant_get_type_string(GVariant *value);
gboolean g_variant_get_boolean(GVariant *value);
unsigned char g_variant_get_byte(GVariant *value);
int16_t g_variant_get_int16(GVariant *value);
uint16_t g_variant_get_uint16(GVariant *value);
int32_t g_variant_get_int32(GVariant *value);
uint32_t g_variant_get_uint32(GVariant *value);
int64_t g_variant_get_int64(GVariant *value);
uint64_t g_variant_get_uint64(GVariant *value);
int32_t g_variant_get_handle(GVariant *value);
double g_variant_get_double(GVariant *value);
const gchar *g_variant_get_string(GVariant *value, size_t *length);
const void *g_variant_get_fixed_array(GVariant *value, size_t *count, size_t element_size);
GVariant *g_variant_get_variant(GVariant *value);
size_t g_variant_n_children(GVariant *value);
GVariant *g_variant_get_child_value(GVariant *value, size_t index);
GVariant *g_variant_new_boolean(gboolean value);
GVariant *g_variant_new_byte(unsigned char value);
GVariant *g_variant_new_int16(int16_t value);
GVariant *g_variant_new_uint16(uint16_t value);
GVariant *g_variant_new_int32(int32_t value);
GVariant *g_variant_new_uint32(uint32_t value);
GVariant *g_variant_new_int64(int64_t value);
GVariant *g_variant_new_uint64(uint64_t value);
GVariant *g_variant_new_handle(int32_t value);
GVariant *g_variant_new_double(double value);
GVariant *g_variant_new_string(const gchar *text);
GVariant *g_variant_new_object_path(const gchar *text);
GVariant *g_variant_new_signature(const gchar *text);
gboolean g_variant_is_object_path(const gchar *text);
gboolean g_variant_is_signature(const gchar *text);
GVariant *g_variant_new_fixed_array(
    const GVariantType *type, const void *elements, size_t count, size_t element_size);
GVariant *g_variant_new_variant(GVariant *value);
GVariant *g_variant_new_array(const GVariantType *type, GVariant *const *elements, size_t count);
GVariant *g_variant_new_dict_entry(GVariant *key, GVariant *value);

// Schemas.
GSettingsSchemaSource *g_settings_schema_source_get_default(void);
GSettingsSchema *g_settings_schema_source_lookup(
    GSettingsSchemaSource *source, const gchar *name, gboolean is_recursive);
void g_settings_schema_source_list_schemas(
    GSettingsSchemaSource *source, gboolean is_recursive, gchar ***fixed, gchar ***relocatable);
const gchar *g_settings_schema_get_path(GSettingsSchema *schema);
gchar **g_settings_schema_list_keys(GSettingsSchema *schema);
GSettingsSchemaKey *g_settings_schema_get_key(GSettingsSchema *schema, const gchar *name);
const GVariantType *g_settings_schema_key_get_value_type(GSettingsSchemaKey *key);
GVariant *g_settings_schema_key_get_default_value(GSettingsSchemaKey *key);
GVariant *g_settings_schema_key_get_range(GSettingsSchemaKey *key);
gboolean g_settings_schema_key_range_check(GSettingsSchemaKey *key, GVariant *value);
const gchar *g_settings_schema_key_get_summary(GSettingsSchemaKey *key);
const gchar *g_settings_schema_key_get_description(GSettingsSchemaKey *key);

// Settings.
GSettings *g_settings_new_full(GSettingsSchema *schema, GSettingsBackend *backend, const gchar *path);
void g_settings_delay(GSettings *settings);
void g_settings_apply(GSettings *settings);
void g_settings_sync(void);
GVariant *g_settings_get_value(GSettings *settings, const gchar *key);
GVariant *g_settings_get_user_value(GSettings *settings, const gchar *key);
GVariant *g_settings_get_default_value(GSettings *settings, const gchar *key);
gboolean g_settings_set_value(GSettings *settings, const gchar *key, GVariant *value);
void g_settings_reset(GSettings *settings, const gchar *key);
gboolean g_settings_is_writable(GSettings *settings, const gchar *key);
GSettingsBackend *g_settings_backend_get_default(void);

// Signals and messages.
unsigned long g_signal_connect_data(
    gpointer instance, const gchar *signal, void (*handler)(void), gpointer data,
    void (*destroy)(gpointer, struct _GClosure *), unsigned int flags);
const gchar *g_type_name_from_instance(struct _GTypeInstance *instance);

#endif
