"""TensorFlow's path to plugin assets: files beside the event files, which TensorBoard's plugins read."""

from tinytf._src.summary.plugin_asset import PluginAsset, get_all_plugin_assets, get_plugin_asset

__all__ = ["PluginAsset", "get_all_plugin_assets", "get_plugin_asset"]
